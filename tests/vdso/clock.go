// Every clock of Go, for each line of its input, in its first goroutine and in others, and how long it slept.
package main

import (
  "bufio"
  "fmt"
  "os"
  "sync"
  "time"
)

func main() {
  in := bufio.NewScanner(os.Stdin)
  for in.Scan() {
    begin := time.Now()
    time.Sleep(50 * time.Millisecond)
    slept := time.Since(begin) // by the monotonic clock
    walls := make([]int64, 4)
    var all sync.WaitGroup
    for number := range walls {
      all.Add(1)
      go func(number int) {
        defer all.Done()
        walls[number] = time.Now().UnixNano()
      }(number)
    }
    all.Wait()
    fmt.Printf("wall=%d slept=%d", time.Now().UnixNano(), slept.Nanoseconds())
    for number, wall := range walls {
      fmt.Printf(" wall_%d=%d", number, wall)
    }
    fmt.Println()
  }
}
