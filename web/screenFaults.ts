/**
 * What no screen may hold: bare controls, colours, pixels, formats, numbers made of amounts, calls past the API, styles,
 * texts of one language.
 *
 * Read from the syntax, not from the text: what isn't known to be harmless is a fault, whatever way it is spelled.
 */
import ts from "typescript"
import { COLOURS, CONTROLS, NAMES, PLAIN, PLAIN_ATTRIBUTES, ROLES } from "./screenWords.ts"

type Say = (node: ts.Node, what: string) => void
type Rule = (node: ts.Node, say: Say, file: ts.SourceFile) => void

const CONTROL = "a bare control"
const HANDLER = "a handler that only the kit knows how to give to everybody"
const COLOUR = "a colour"
const PIXEL = "a pixel"
const SIZE = "a value that is no share, ratio or size in rem"
const FORMAT = "a format of its own"
const NUMBER = "a number made of an amount"
const CALL = "a call past the api"
const STYLE = "styles of its own"
const STALE = "a form's value that goes stale, where useWatch doesn't"
const TEXT = "a text of one language"

/** What `text` holds that a screen may not, one line for each. */
export function faultsOf(name: string, text: string): string[] {
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind)
  const faults: string[] = []
  const say: Say = (node, what) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    faults.push(`${name}:${line + 1}: ${what}: ${node.getText(file).replace(/\s+/g, " ").slice(0, 80)}`)
  }
  const visit = (node: ts.Node): void => {
    for (const rule of RULES) rule(node, say, file)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return faults
}

/** Elements that nobody presses or types into, with attributes that do nothing; components by their own name. */
const elements: Rule = (node, say, file) => {
  if (!ts.isJsxOpeningElement(node) && !ts.isJsxSelfClosingElement(node)) return
  const tag = node.tagName
  if (ts.isIdentifier(tag) && /^[a-z]/.test(tag.text)) {
    if (!PLAIN.has(tag.text)) say(tag, CONTROL)
    for (const attribute of node.attributes.properties) plainAttribute(attribute, say)
  } else if (ts.isJsxNamespacedName(tag)) say(tag, CONTROL)
  else if (mayBeElement(rootOf(tag), file)) say(tag, CONTROL)
}

function plainAttribute(attribute: ts.JsxAttributeLike, say: Say): void {
  // What it spreads can't be read here.
  if (ts.isJsxSpreadAttribute(attribute)) {
    say(attribute, HANDLER)
    return
  }
  const name = attribute.name.getText()
  const value = attribute.initializer && literalOf(attribute.initializer)
  if (name === "role" && !ROLES.has(value ?? "")) say(attribute, HANDLER)
  else if (/^(fill|stroke|color|stopColor|floodColor)$/.test(name)) {
    if (value !== "none" && value !== "currentColor") say(attribute, COLOUR)
  } else if (!PLAIN_ATTRIBUTES.test(name) && !isStyle(name)) say(attribute, HANDLER)
}

/** A tag that is no import and no function: what it was made of, in this file, may be the name of an element. */
function mayBeElement(tag: ts.Identifier | null, file: ts.SourceFile): boolean {
  if (tag === null) return true
  const seen = new Set<string>()
  const holds = (node: ts.Node): boolean => {
    if (ts.isStringLiteralLike(node)) return CONTROLS.has(node.text.trim()) || PLAIN.has(node.text.trim())
    if (ts.isIdentifier(node) && holdsNamed(node.text)) return true
    return ts.forEachChild(node, (child) => holds(child) || undefined) ?? false
  }
  const holdsNamed = (name: string): boolean => {
    if (seen.has(name)) return false
    seen.add(name)
    return declarationsOf(name, file).some((declared) => {
      if (ts.isFunctionDeclaration(declared)) return name !== tag.text && holds(declared)
      if (isOfParameters(declared)) return name === tag.text || holds(declared)
      return (
        declared.initializer !== undefined &&
        !isComponent(declared.initializer) &&
        holds(declared.initializer)
      )
    })
  }
  return holdsNamed(tag.text)
}

type Declared = ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement | ts.FunctionDeclaration

function declarationsOf(name: string, file: ts.SourceFile): Declared[] {
  const found: Declared[] = []
  const visit = (node: ts.Node): void => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node)
    if (declares && node.name !== undefined && ts.isIdentifier(node.name) && node.name.text === name)
      found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function isOfParameters(node: ts.Node): boolean {
  if (ts.isParameter(node)) return true
  return ts.isBindingElement(node) && isOfParameters(node.parent.parent)
}

const isComponent = (node: ts.Node) => ts.isArrowFunction(node) || ts.isFunctionExpression(node)

function rootOf(tag: ts.JsxTagNameExpression): ts.Identifier | null {
  if (ts.isIdentifier(tag)) return tag
  return ts.isPropertyAccessExpression(tag) ? rootOf(tag.expression as ts.JsxTagNameExpression) : null
}

const DOM_EVENT =
  /^on(click|double|dblclick|aux|context|mouse|pointer|touch|key|drag|drop|wheel|scroll|input|beforeinput|focus|cut|paste|toggle|composition|animation|transition|gotpointer|lostpointer|select|invalid|reset)/i
const isStyle = (name: string) => /^(style|dangerouslySetInnerHTML)$/.test(name)
/** What is heard of the page as a whole; all else belongs to what is pressed. */
const HEARD = new Set([
  "change",
  "message",
  "offline",
  "online",
  "pagehide",
  "pageshow",
  "popstate",
  "storage",
  "visibilitychange",
])

/** Handlers and styles, as an attribute of whatever element, as a key of what is spread, as something that is set. */
const properties: Rule = (node, say) => {
  const name = ts.isJsxAttribute(node) ? node.name.getText() : namedIn(node)
  if (name !== null && DOM_EVENT.test(name)) say(node, HANDLER)
  if (name !== null && isStyle(name)) say(node, STYLE)
  if (ts.isJsxAttribute(node) && name === "role" && !ts.isStringLiteral(node.initializer ?? node))
    say(node, HANDLER)
  if (!ts.isCallExpression(node) || !/\baddEventListener$/.test(node.expression.getText())) return
  if (!HEARD.has(literalOf(node.arguments[0]) ?? "")) say(node, HANDLER)
}

/** The name of a property that is read, set, taken apart or put together; null where the node is something else. */
function namedIn(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node)) return literalOf(node.argumentExpression)
  const assigns = ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)
  if (assigns || ts.isShorthandPropertyAssignment(node)) return nameOf(node.name)
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return null
  return nameOf(node.propertyName ?? node.name)
}

const nameOf = (name: ts.Node): string | null =>
  ts.isIdentifier(name)
    ? name.text
    : ts.isComputedPropertyName(name)
      ? literalOf(name.expression)
      : literalOf(name)

/** The text of a literal, also of one in braces or put together of several; null where only the run tells it. */
function literalOf(node: ts.Node | undefined): string | null {
  if (node === undefined) return null
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return literalOf(node.expression)
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [literalOf(node.left), literalOf(node.right)]
  return left === null || right === null ? null : left + right
}

const COLOUR_FUNCTION =
  /#[0-9a-f]{3,8}(?![\w`])|\b(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|var)\(/i
const PAINTS =
  /^-?(bg|text|border(-[trblxyse])?|divide|ring|ring-offset|inset-ring|outline|fill|stroke|from|via|to|shadow|drop-shadow|text-shadow|accent|caret|decoration|placeholder)-([a-z]+)(-\d+)?(\/.*)?$/
const ABSOLUTE = /(^|[^\w.])\d*\.?\d+(px|pt|pc|cm|mm|in|q)\b/i
const OWN_PROPERTIES = new Set(["[scrollbar-width:none]"])
const OWN_VALUE =
  /^(-?\d*\.?\d+(rem|%|fr|ms)?|calc|minmax|repeat|min|max|env|safe-area-inset-(top|right|bottom|left)|auto|auto-fit|auto-fill|min-content|max-content)$/

/** Class names and whatever else a string may bring onto the screen. */
const strings: Rule = (node, say) => {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
    return
  if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)) return
  if (COLOUR_FUNCTION.test(node.text)) say(node, COLOUR)
  if (ABSOLUTE.test(node.text)) say(node, PIXEL)
  for (const token of node.text.split(/\s+/)) {
    const utility = utilityOf(token)
    const [, , , painted = ""] = PAINTS.exec(utility) ?? []
    if (COLOURS.has(painted)) say(node, COLOUR)
    if (/^-?[a-z-]+-px$/.test(utility)) say(node, PIXEL)
    if (/[a-z]-\(/.test(utility) || hasForeignValue(utility)) say(node, SIZE)
  }
}

/** A class without its variants and its mark of importance. */
function utilityOf(token: string): string {
  let [depth, start] = [0, 0]
  for (const [place, sign] of [...token].entries()) {
    if (sign === "[" || sign === "(") depth++
    else if (sign === "]" || sign === ")") depth--
    else if (sign === ":" && depth === 0) start = place + 1
  }
  return token.slice(start).replace(/^!|!$/g, "")
}

/** A value in brackets that is none of ours, or a property of its own in them. */
function hasForeignValue(utility: string): boolean {
  if (/^\[-*[a-z][a-z-]*:/i.test(utility)) return !OWN_PROPERTIES.has(utility)
  const [, value] = /^-?[a-z][a-z-]*-\[(.*)\]/.exec(utility) ?? []
  return (
    value?.split(/[\s_,+*/()]+|-(?=\d)/).every((word) => /^-?$/.test(word) || OWN_VALUE.test(word)) === false
  )
}

/** What belongs to the library, by the name under which it is known to all: as a variable or as a property of one. */
const BELONGS: Record<string, string> = {
  ...of(
    FORMAT,
    "Intl toFixed toPrecision toExponential toISOString toUTCString toGMTString toDateString toTimeString",
  ),
  ...of(
    FORMAT,
    "toLocaleString toLocaleDateString toLocaleTimeString toLocaleUpperCase toLocaleLowerCase localeCompare",
  ),
  ...of(FORMAT, "getDate getDay getMonth getYear getFullYear getHours getMinutes getSeconds"),
  ...of(FORMAT, "getUTCDate getUTCDay getUTCMonth getUTCFullYear getUTCHours getUTCMinutes getUTCSeconds"),
  ...of(NUMBER, "parseFloat parseInt BigInt"),
  ...of(
    CALL,
    "fetch WebSocket XMLHttpRequest EventSource Request Image Worker SharedWorker RTCPeerConnection",
  ),
  ...of(CALL, "sendBeacon importScripts eval Function"),
  ...of(CONTROL, "createElement cloneElement createElementNS"),
  ...of(
    STYLE,
    "cssText className classList setAttribute setAttributeNS innerHTML outerHTML insertAdjacentHTML",
  ),
  ...of(STYLE, "styleSheets adoptedStyleSheets attributeStyleMap insertRule"),
  ...of(STALE, "watch"),
}

function of(what: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, what]))
}

/** Of `Number` what says something about a number, and makes none. */
const ABOUT_NUMBERS = /^(is\w+|MAX_SAFE_INTEGER|MIN_SAFE_INTEGER|POSITIVE_INFINITY|NEGATIVE_INFINITY)$/

const names: Rule = (node, say) => {
  const property = ts.isJsxAttribute(node) ? null : namedIn(node)
  const name = property ?? (ts.isIdentifier(node) && isRead(node) ? node.text : null)
  // A key of an object that is put together is a word of ours.
  const isKey =
    ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node) || ts.isShorthandPropertyAssignment(node)
  if (name === null || isKey) return
  const what = Object.hasOwn(BELONGS, name) ? BELONGS[name] : undefined
  if (what !== undefined && !isHexadecimal(node)) say(node, what)
  if (name === "round" && /^Math\b/.test(node.getText())) say(node, FORMAT)
  if (name === "Number" && property === null && !isAboutNumbers(node.parent)) say(node, NUMBER)
}

/** A variable that is read, and not the name of something: of a property, a type, an import, a declaration. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isTypeNode(parent)) return false
  return (parent as ts.Node & { name?: ts.Node }).name !== node
}

/** Hexadecimal is no amount. */
function isHexadecimal(node: ts.Node): boolean {
  const call = node.parent
  return ts.isCallExpression(call) && call.expression === node && literalOf(call.arguments[1]) === "16"
}

function isAboutNumbers(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node)) return false
  return ABOUT_NUMBERS.test(node.name.text) || (node.name.text === "parseInt" && isHexadecimal(node))
}

/** Signs that make a number of a text. What reckons with a text otherwise doesn't pass the compiler. */
const signs: Rule = (node, say) => {
  if (ts.isPrefixUnaryExpression(node)) {
    const makes = node.operator === ts.SyntaxKind.PlusToken || node.operator === ts.SyntaxKind.TildeToken
    if (makes) say(node, NUMBER)
  }
  if (!ts.isBinaryExpression(node)) return
  const idle = IDLE[node.operatorToken.getText()]
  if (idle !== undefined && [node.left, node.right].some((side) => literalOf(side) === idle))
    say(node, NUMBER)
}

/** Reckoning that changes nothing. */
const IDLE: Record<string, string> = {
  "*": "1",
  "/": "1",
  "-": "0",
  "|": "0",
  ">>": "0",
  ">>>": "0",
  "^": "0",
}

const imports: Rule = (node, say) => {
  if (ts.isImportDeclaration(node) && /\.(css|svg|png|woff2?)$/.test(literalOf(node.moduleSpecifier) ?? ""))
    say(node, STYLE)
  const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  if (isImport && !literalOf(node.arguments[0])?.startsWith(".")) say(node, CALL)
}

const READ = /^(label|title|alt|placeholder|hint|note|text|aria-label)$/
/** What gives one of its sides, or both. */
const JOINS = new Set(["+", "||", "??", "&&"])
const TRANSLATED = new Set(["Trans", "Plural", "SelectOrdinal"])

/** What members read, in the file itself instead of the catalogues: between tags, or of what is read out. */
const texts: Rule = (node, say) => {
  if (ts.isJsxText(node)) {
    if (hasWords(node.text) && !isTranslated(node)) say(node, TEXT)
  } else if (ts.isJsxAttribute(node)) {
    if (READ.test(node.name.getText()) && saysWords(node.initializer)) say(node, TEXT)
  } else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) {
    if (saysWords(node) && !isTranslated(node)) say(node, TEXT)
  }
}

/** Whether this may come to a text that stands here, and not to one of a call. */
function saysWords(node: ts.Node | undefined): boolean {
  if (node === undefined || ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) return false
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return saysWords(node.expression)
  if (ts.isConditionalExpression(node)) return saysWords(node.whenTrue) || saysWords(node.whenFalse)
  if (ts.isBinaryExpression(node) && JOINS.has(node.operatorToken.getText()))
    return saysWords(node.right) || (node.operatorToken.getText() !== "&&" && saysWords(node.left))
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].some(({ text }) => hasWords(text))
  return ts.isStringLiteralLike(node) && hasWords(node.text)
}

/** Two letters beside each other, beyond names that are the same in each language. */
const hasWords = (text: string) => text.match(/\p{L}{2,}/gu)?.some((word) => !NAMES.has(word)) === true

function isTranslated(node: ts.Node): boolean {
  for (let above = node.parent; above !== undefined; above = above.parent)
    if (ts.isJsxElement(above) && TRANSLATED.has(above.openingElement.tagName.getText())) return true
  return false
}

const RULES: Rule[] = [elements, properties, strings, names, signs, imports, texts]
