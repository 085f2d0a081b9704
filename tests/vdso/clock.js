// Every clock of Node, for each line of its input, and around a timer.
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", () => {
  const asked = process.hrtime.bigint();
  setTimeout(() => {
    const slept = process.hrtime.bigint() - asked;
    const date = `milli=${BigInt(Date.now()) * 1000000n} milli_date=${BigInt(new Date().getTime()) * 1000000n}`;
    console.log(`${date} monotonic=${process.hrtime.bigint()} monotonic_slept=${asked + slept}`);
  }, 50);
});
