// A stand-in for Kubernetes' API server, of which leader election needs three requests: get, create and update a Lease
// of coordination.k8s.io/v1. Each is carried out on the lab's etcd at once: the resourceVersion is the
// key's revision, and an update of another version is a conflict. What etcd does not answer is no answer here either.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type apiServer struct{ etcd *clientv3.Client }

func newAPIServer(endpoint string) (apiServer, error) {
	etcd, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, DialTimeout: 5 * time.Second})
	return apiServer{etcd}, err
}

func (s apiServer) RoundTrip(request *http.Request) (*http.Response, error) {
	code, said, err := s.answer(request)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(said)
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Request: request,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, err
}

func refusal(code int32, reason metav1.StatusReason) (int, any, error) {
	return int(code), metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: code, Reason: reason, Message: "lease: " + string(reason),
	}, nil
}

func found(code int, value []byte, revision int64) (int, any, error) {
	var lease coordinationv1.Lease
	err := json.Unmarshal(value, &lease)
	lease.Kind, lease.APIVersion, lease.ResourceVersion = "Lease", "coordination.k8s.io/v1", fmt.Sprint(revision)
	return code, lease, err
}

func (s apiServer) answer(request *http.Request) (int, any, error) {
	path := strings.TrimPrefix(request.URL.Path, "/apis/coordination.k8s.io/v1/namespaces/")
	namespace, name, _ := strings.Cut(path, "/leases")
	name = strings.TrimPrefix(name, "/")
	var lease coordinationv1.Lease
	if request.Body != nil {
		defer request.Body.Close()
		if err := json.NewDecoder(request.Body).Decode(&lease); err != nil && request.Method != http.MethodGet {
			return 0, nil, err
		}
	}
	if request.Method == http.MethodPost {
		name = lease.Name
	}
	key, ctx := "/registry/leases/"+namespace+"/"+name, request.Context()
	if request.Method == http.MethodGet {
		got, err := s.etcd.Get(ctx, key)
		if err != nil {
			return 0, nil, err
		} else if len(got.Kvs) == 0 {
			return refusal(http.StatusNotFound, metav1.StatusReasonNotFound)
		}
		return found(http.StatusOK, got.Kvs[0].Value, got.Kvs[0].ModRevision)
	}
	version, code, reason := int64(0), http.StatusCreated, metav1.StatusReasonAlreadyExists
	if request.Method == http.MethodPut {
		code, reason = http.StatusOK, metav1.StatusReasonConflict
		if _, err := fmt.Sscan(lease.ResourceVersion, &version); err != nil {
			return refusal(http.StatusConflict, reason)
		}
	} else if request.Method != http.MethodPost {
		return refusal(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed)
	}
	lease.ResourceVersion = ""
	value, err := json.Marshal(lease)
	if err != nil {
		return 0, nil, err
	}
	same := clientv3.Compare(clientv3.ModRevision(key), "=", version)
	done, err := s.etcd.Txn(ctx).If(same).Then(clientv3.OpPut(key, string(value))).Commit()
	if err != nil {
		return 0, nil, err
	} else if !done.Succeeded {
		return refusal(http.StatusConflict, reason)
	}
	return found(code, value, done.Header.Revision)
}
