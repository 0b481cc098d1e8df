import { readFileSync, writeFileSync } from "node:fs"
import openapiTS, { astToString } from "openapi-typescript"

// Writes the types of all calls from the OpenAPI document; with --check it fails where they aren't of the present one.
const DOCUMENT = new URL("../contract/openapi.json", import.meta.url)
const TYPES = new URL("src/lib/api.gen.ts", import.meta.url)
/** What says nothing about types: examples stand in the document, and pages only see answers of HTTP 200. */
const LEFT_OUT = new Set(["example", "examples", "title", "default", "parameters", "operationId", "tags"])

function typesOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typesOnly)
  if (typeof value !== "object" || value === null) return value
  const kept = Object.entries(value).filter(([name, one]) => !LEFT_OUT.has(name) && !isTransport(one))
  return Object.fromEntries(
    kept.map(([name, one]) => [name, name === "properties" ? fieldsOf(one) : typesOnly(one)]),
  )
}

/** Fields keep their names, also those that the document uses itself. */
const fieldsOf = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, typesOnly(one)]))

const isTransport = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  "$ref" in value &&
  String(value.$ref).startsWith("#/components/responses/")

const document = JSON.parse(readFileSync(DOCUMENT, "utf8"))
delete document.components.responses
const tree = await openapiTS(typesOnly(document) as typeof document, {
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
})
const text = `// Written by \`make openapi\` from contract/openapi.json.\n${astToString(tree)}`
if (!process.argv.includes("--check")) writeFileSync(TYPES, text)
else if (text !== readFileSync(TYPES, "utf8")) {
  process.stderr.write("src/lib/api.gen.ts is not of the present document, run make openapi\n")
  process.exitCode = 1
}
