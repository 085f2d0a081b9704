// client-go's leader election with a Lease, in the proportions of its default times, and released when it is cancelled,
// as its example has it. The API server is a stand-in (apiserver.go).
package main

import (
	"context"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

type candidate struct {
	elector          *leaderelection.LeaderElector
	started, stopped chan struct{}
	resign           context.CancelFunc
}

var (
	leases coordination.CoordinationV1Interface
	owner  string
)

func hello(a ask) error {
	owner = a.Owner
	server, err := newAPIServer(a.address(0))
	if err == nil {
		json := rest.ContentConfig{ContentType: "application/json"} // all that the stand-in reads
		config := &rest.Config{Host: "http://stand-in", Transport: server, ContentConfig: json}
		leases, err = coordination.NewForConfig(config)
	}
	return err
}

func campaign(a ask) (*candidate, object, error) {
	if a.once() { // no campaign is without a wait: what it finds it must watch for a lease before it may take it
		short, over := context.WithTimeout(a.ctx, 2*a.lease())
		defer over()
		a.ctx = short
	}
	ctx, resign := context.WithCancel(context.Background())
	one := &candidate{started: make(chan struct{}), stopped: make(chan struct{}), resign: resign}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: a.Lock, Namespace: "default"},
			Client:     leases,
			LockConfig: resourcelock.ResourceLockConfig{Identity: owner},
		},
		LeaseDuration:   a.lease(), // 15 s, 10 s and 2 s are the defaults
		RenewDeadline:   a.lease() * 10 / 15,
		RetryPeriod:     a.lease() * 2 / 15,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(one.started) },
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		resign()
		return nil, nil, err
	}
	one.elector = elector
	go func() {
		elector.Run(ctx) // it returns when it no longer leads, or was told to end
		close(one.stopped)
	}()
	select {
	case <-one.started:
		return one, nil, nil
	case <-a.ctx.Done():
		return nil, nil, one.end(os.ErrExist)
	}
}

// It returns nothing that says whether the lease was given back, but it knows whom it saw as leader last.
func (one *candidate) end(otherwise error) error {
	one.resign()
	<-one.stopped
	if one.elector.IsLeader() {
		return os.ErrDeadlineExceeded
	}
	return otherwise
}

func main() {
	serve(&adapter[*candidate]{
		module:  "k8s.io/client-go",
		can:     []string{"background", "wait"},
		hello:   hello,
		acquire: campaign,
		release: func(_ ask, one *candidate) error { return one.end(nil) },
		lost:    func(one *candidate) <-chan struct{} { return one.stopped },
		refused: func(err error) bool { return err == os.ErrExist },
	})
}
