#!/usr/bin/python3
"""A lock in an object store as an adapter, for tests: created if absent, deleted by its ETag. `retries`, the argument,
says how often a write without an answer is repeated: after a repeated one the client's own object refuses it.
"""

import hashlib
import hmac
import http.client
import json
import sys
import time

USER, SECRET, REGION = "holdfast", "holdfast-secret", "us-east-1"
SIGNED = "host;x-amz-content-sha256;x-amz-date"


def keyed(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class Store:
    def __init__(self, at):
        self.host = f"{at['host']}:{at['port']}"
        self.http = http.client.HTTPConnection(at["host"], at["port"], timeout=10)

    def signed(self, method, path, body):
        """The headers of AWS Signature Version 4."""
        moment, content = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()), hashlib.sha256(body).hexdigest()
        headers = f"host:{self.host}\nx-amz-content-sha256:{content}\nx-amz-date:{moment}\n"
        request = f"{method}\n{path}\n\n{headers}\n{SIGNED}\n{content}"
        scope = f"{moment[:8]}/{REGION}/s3/aws4_request"
        digest = hashlib.sha256(request.encode()).hexdigest()
        key = ("AWS4" + SECRET).encode()
        for part in scope.split("/"):
            key = keyed(key, part)
        signature = keyed(key, f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{digest}").hex()
        proof = f"AWS4-HMAC-SHA256 Credential={USER}/{scope}, SignedHeaders={SIGNED}, Signature={signature}"
        return {"x-amz-content-sha256": content, "x-amz-date": moment, "Authorization": proof}

    def ask(self, method, path, condition, body=b""):
        """The status, and the ETag if there is one."""
        try:
            self.http.request(method, path, body, {**self.signed(method, path, body), **condition})
            answer = self.http.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            self.http.close()  # connects again
            raise
        return answer.status, answer.headers.get("ETag")


class ObjectLock:
    def __init__(self, hello, retries):
        self.store = Store(hello["servers"][0])
        self.owner, self.retries, self.etags = hello["owner"], retries, {}

    def acquire(self, ask):
        path, body = f"/locks/{ask['lock']}", f"{self.owner}:{ask['n']}".encode()
        for left in range(self.retries, -1, -1):
            try:
                status, etag = self.store.ask("PUT", path, {"If-None-Match": "*"}, body)
                break
            except (OSError, http.client.HTTPException):
                if left == 0:
                    raise
        if status == 200:
            self.etags[ask["lock"]] = etag
        return {200: "ok", 412: "busy"}.get(status, "info")

    def release(self, ask):
        condition = {"If-Match": self.etags.pop(ask["lock"], '"0"')}
        status, _ = self.store.ask("DELETE", f"/locks/{ask['lock']}", condition)
        return {204: "ok", 404: "not_held", 412: "not_held"}.get(status, "info")


def main():
    lock, retries = None, int(sys.argv[1])
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            lock = ObjectLock(ask, retries)
            said = {"is": "ready", "v": 1, "name": "object_lock", "version": "1", "can": []}
        elif ask["do"] == "pulse":
            said = {"is": "ok", "wall_ms": time.time_ns() // 1_000_000}
        else:
            try:
                said = {"is": getattr(lock, ask["do"])(ask)}
            except (OSError, http.client.HTTPException) as error:
                said = {"is": "info", "why": str(error)}
        print(json.dumps({"n": ask.get("n"), **said}), flush=True)


if __name__ == "__main__":
    main()
