// Waits for five seconds in several ways, and prints how many milliseconds each took by the program's clock.
package main

import (
	"context"
	"fmt"
	"time"
)

func inSteps() {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for i := 0; i < 50; i++ {
		<-ticker.C
	}
}

func inContext() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	<-ctx.Done()
}

func inGoroutine() {
	done := make(chan struct{})
	go func() {
		time.Sleep(5 * time.Second)
		close(done)
	}()
	<-done
}

func main() {
	for _, wait := range []func(){func() { time.Sleep(5 * time.Second) }, inSteps, inContext, inGoroutine} {
		begin := time.Now()
		wait()
		fmt.Println(float64(time.Since(begin).Microseconds()) / 1000)
	}
}
