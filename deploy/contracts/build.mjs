// Compiles the contracts into the artefacts that the server and its tests read; --check only compares them.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import solc from "solc";

const require = createRequire(import.meta.url);
const ARTEFACTS = {
  Token: new URL("../../server/src/kalos/adapters/chain/token.json", import.meta.url),
  Batch: new URL("../../server/tests/chain/batch.json", import.meta.url),
};

const own = (name) => readFileSync(new URL(`${name}.sol`, import.meta.url), "utf8");
const library = (path) => readFileSync(require.resolve(path), "utf8");

function compile(name) {
  const input = {
    language: "Solidity",
    sources: { [`${name}.sol`]: { content: own(name) } },
    settings: {
      optimizer: { enabled: true, runs: 10_000 },
      evmVersion: "cancun",
      metadata: { bytecodeHash: "none" },
      outputSelection: { "*": { [name]: ["abi", "evm.bytecode.object"] } },
    },
  };
  const imports = { import: (path) => ({ contents: library(path) }) };
  const output = JSON.parse(solc.compile(JSON.stringify(input), imports));
  const problems = output.errors ?? [];
  if (problems.length > 0) throw new Error(problems.map((one) => one.formattedMessage).join("\n"));
  const { abi, evm } = output.contracts[`${name}.sol`][name];
  const artefact = {
    contract: name,
    compiler: solc.version().split(".Emscripten")[0],
    library: require("@openzeppelin/contracts/package.json").version,
    source_sha256: createHash("sha256").update(own(name)).digest("hex"),
    abi,
    bytecode: `0x${evm.bytecode.object}`,
  };
  return `${JSON.stringify(artefact, null, 1)}\n`;
}

for (const [name, place] of Object.entries(ARTEFACTS)) {
  const built = compile(name);
  if (!process.argv.includes("--check")) writeFileSync(place, built);
  else if (readFileSync(place, "utf8") !== built) throw new Error(`${name}: the artefact differs, run "npm run build"`);
}
