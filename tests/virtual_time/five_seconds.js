// Waits for five seconds in several ways, and prints how many milliseconds each took by the program's clock.
const { execFileSync } = require("child_process");
const { Worker } = require("worker_threads");

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function inSteps() {
  for (let i = 0; i < 50; i++) await sleep(100);
}

function inWorker() {
  const code = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000)";
  return new Promise((resolve) => new Worker(code, { eval: true }).on("exit", resolve));
}

async function main() {
  for (const wait of [() => sleep(5000), inSteps, inWorker, () => execFileSync("sleep", ["5"])]) {
    const begin = performance.now();
    await wait();
    console.log(performance.now() - begin);
  }
}

main();
