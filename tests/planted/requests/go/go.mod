module holdfast/requests

go 1.19
