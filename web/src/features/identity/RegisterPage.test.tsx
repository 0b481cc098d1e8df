import { useRouterState } from "@tanstack/react-router"
import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { queryClient } from "../../lib/queries.ts"
import { getToken } from "../../lib/session.ts"
import { startTexts } from "../../lib/texts.ts"
import { answerWith, done, type Said } from "../../testing/answers.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import { LoginForm } from "./LoginForm.tsx"
import RegisterPage from "./RegisterPage.tsx"

// There country and birth date may be left out.
vi.mock("../../lib/mode.ts", () => ({ DEMO: true }))

const MINE = "mine@example.com"
const PICTURE = { captcha_id: "1", image: "data:,", tones: null, expires_at: Date.now() + 600_000 }
const TONES = { ...PICTURE, captcha_id: "2", image: null, tones: "data:audio/wav;base64," }

let stage: Stage
let said: Record<string, Said>

const field = (name: string) => stage.get("input", name) as HTMLInputElement
const button = (name: string | RegExp) => stage.get("button", name)
const press = (name: string | RegExp) => stage.press(button(name))
const refusal = (code: number, msg: string, data: object): Said => ({ code, msg, data })
const again = async (node = <RegisterPage />, path = "/register") => {
  await stage?.leave()
  queryClient.clear()
  stage = await show(node, path)
}

/** Log-in as it stands once the way leads there. */
function Door() {
  const known = useRouterState({ select: ({ location }) => location.state.name })
  return known === undefined ? null : <LoginForm closed={false} />
}

const choose = (name: string, value: string) =>
  act(async () => {
    const select = stage.get("select", name) as HTMLSelectElement
    select.value = value
    select.dispatchEvent(new Event("change", { bubbles: true }))
  })

async function askForCode() {
  await stage.type(field("E-mail"), MINE)
  await stage.type(field("Code in the picture"), "ABCD")
  await press("Send code")
}
async function fillAll(invitation = "KALOS1") {
  await until(() => stage.count("select") > 0)
  await stage.type(field("Invitation code"), invitation)
  await stage.type(field("E-mail"), MINE)
  await stage.type(field("Code from the e-mail"), "402913")
  await stage.type(field("Password"), "harbour7lights")
  await stage.press(document.querySelector("[type=checkbox]") as HTMLElement)
  await press("Create account")
}

beforeAll(startTexts)
// Asked for by a press; what a test waits for is what it brings.
beforeAll(() => import("../../ui/TonesField.tsx"))
beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  said = { "/api/auth/captcha": done(PICTURE) }
  answerWith((path) => said[path] ?? done())
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  await again()
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("an address that has an account leads to log-in, which knows it and no URL does", async () => {
  said["/api/auth/register"] = refusal(409, "This is in use already", { error: "already_exists" })
  await fillAll()
  await until(() => stage.text().includes("This is in use already"))
  const note = document.getElementById(`${field("E-mail").id}-note`) as HTMLElement
  await stage.press(note.querySelector("a") as HTMLElement)
  const { href, state } = stage.router.state.location
  expect([href, state.name]).toEqual(["/login", MINE])

  await again(<Door />, "/login")
  await act(() => stage.router.navigate({ to: "/login", state } as never))
  expect(field("Account or e-mail").value).toBe(MINE)
})

test("another refusal at the address leads nowhere", async () => {
  said["/api/auth/sendEmail"] = refusal(400, "The value is not valid", { error: "invalid_input" })
  await askForCode()
  await until(() => stage.text().includes("The value is not valid"))
  expect(document.getElementById(`${field("E-mail").id}-note`)?.querySelector("a")).toBeNull()
})

test.each([
  ["E-mail", 400, "The value is not valid", "invalid_input"],
  ["Code in the picture", 401, "The code is wrong", "wrong_captcha"],
])("a refused mail is told at %s, which has the focus", async (name, code, msg, error) => {
  said["/api/auth/sendEmail"] = refusal(code, msg, { error })
  await askForCode()
  await until(() => stage.text().includes(msg))
  expect(document.activeElement).toBe(field(name))
})

test("where no other picture comes after a refusal the used one goes, until another is asked for", async () => {
  said["/api/auth/sendEmail"] = refusal(401, "The code is wrong", { error: "wrong_captcha" })
  await again()
  await until(() => stage.count("img[data-captcha]") === 1)
  said["/api/auth/captcha"] = refusal(429, "Too many attempts", { error: "too_many", retry_after: 60 })
  await askForCode()
  await until(() => stage.text().includes("The picture didn't load"))
  expect(stage.count("img[data-captcha]")).toBe(0)
  said["/api/auth/captcha"] = done({ ...PICTURE, captcha_id: "3" })
  await press("Another picture")
  await until(() => stage.count("img[data-captcha='3']") === 1)
  expect(stage.text()).not.toContain("The picture didn't load")
})

test("a code that is refused for a while can't be asked for again before, for this address", async () => {
  const data = { error: "too_many", retry_after: 41 }
  said["/api/auth/sendEmail"] = refusal(429, "Too many attempts", data)
  await askForCode()
  await until(() => stage.text().includes("Send again in"))
  expect(button(/^Send again in (41|40) s$/).hasAttribute("disabled")).toBe(true)
  expect(stage.text()).not.toContain("Sent to")
  await stage.type(field("E-mail"), "other@example.com")
  expect(button("Send code").hasAttribute("disabled")).toBe(false)

  data.retry_after = 3600 * 2
  await stage.type(field("Code in the picture"), "ABCD")
  await press("Send code")
  await until(() => stage.text().includes("Send again in"))
  expect(button(/^Send again in (2:00:00|1:59:59)$/).hasAttribute("disabled")).toBe(true)
})

test("an invitation's code outlives a reload and the way to log-in, and ends with the registration", async () => {
  await stage.type(field("Invitation code"), "FRIEND7")
  await again()
  expect(field("Invitation code").value).toBe("FRIEND7")
  await again(<RegisterPage />, "/register?code=LINKED8")
  expect([field("Invitation code").value, field("Invitation code").readOnly]).toEqual(["LINKED8", true])
  await again()
  expect([field("Invitation code").value, field("Invitation code").readOnly]).toEqual(["LINKED8", false])
  said["/api/auth/register"] = { code: 200, msg: "Done", data: { token: "a", device: "b" } }
  await fillAll()
  await until(() => localStorage.getItem("kalos.token") === "a")
  await again()
  expect(field("Invitation code").value).toBe("")
  expect(Object.values(sessionStorage).join()).not.toContain("harbour7lights")
})

test("a link's code that the server doesn't know can be replaced", async () => {
  await again(<RegisterPage />, "/register?code=GONE77")
  said["/api/auth/register"] = refusal(400, "This code is not valid", { error: "invalid_invite_code" })
  await fillAll("GONE77")
  await until(() => stage.text().includes("This code is not valid"))
  expect([field("Invitation code").readOnly, stage.text().includes("From your")]).toEqual([false, false])
  await stage.type(field("Invitation code"), "FRIEND7")
  said["/api/auth/register"] = refusal(401, "Wrong code", { error: "wrong_code" })
  await press("Create account")
  await until(() => stage.text().includes("Wrong code"))
  expect([field("Invitation code").value, field("Invitation code").readOnly]).toEqual(["FRIEND7", false])
})

test("where the browser forbids its store the page registers all the same, and only forgets the invitation", async () => {
  const forbid = () => {
    throw new DOMException("no", "SecurityError")
  }
  vi.stubGlobal("sessionStorage", { getItem: forbid, setItem: forbid, removeItem: forbid })
  await again()
  await stage.type(field("Invitation code"), "FRIEND7")
  expect(field("Invitation code").value).toBe("FRIEND7")
  await again()
  expect(field("Invitation code").value).toBe("")
  said["/api/auth/register"] = done({ token: "forbidden", device: "b" })
  await fillAll()
  await until(() => getToken() === "forbidden")
})

test("whoever can't see the picture counts tones, which are played as often as that is pressed", async () => {
  const played: string[] = []
  vi.stubGlobal(
    "Audio",
    class {
      private readonly sound: string
      constructor(sound: string) {
        this.sound = sound
      }
      play = async () => void played.push(this.sound)
      pause() {}
    },
  )
  const sent: unknown[] = []
  answerWith((path, { kind, captcha }) => {
    if (captcha) sent.push(captcha)
    return kind === "tones" ? done(TONES) : (said[path] ?? done())
  })
  await again()
  await stage.type(field("Code in the picture"), "ABCD")
  await press("Hear tones instead")
  await until(() => stage.count('[aria-label="Play the tones"]:enabled') === 1)
  const counted = field("Tones in each group")
  expect([document.activeElement, counted.value]).toEqual([counted, ""])
  expect(document.getElementById(`${counted.id}-note`)?.textContent).toMatch(/how many each has/)
  for (const times of [1, 2]) {
    await press("Play the tones")
    expect(played).toEqual(Array(times).fill(TONES.tones))
  }
  await stage.type(field("E-mail"), MINE)
  await press("Send code")
  await until(() => stage.text().includes("This is needed"))
  expect(sent).toEqual([])
  await stage.type(counted, "3142")
  await press("Send code")
  await until(() => sent.length > 0)
  expect(sent).toEqual([{ captcha_id: "2", code: "3142" }])
  await press("See a picture instead")
  await until(() => stage.count("img[data-captcha]") > 0)
  expect(field("Code in the picture").value).toBe("")
})

test("country and birth date go along where they are given, and nothing of them where they aren't", async () => {
  const sent: Record<string, unknown>[] = []
  said["/api/auth/register"] = refusal(409, "This is in use already", { error: "already_exists" })
  answerWith((path, body) => {
    if (path === "/api/auth/register") sent.push(body)
    return said[path] ?? done()
  })
  await again()
  await fillAll()
  await until(() => sent.length === 1)
  await until(() => stage.text().includes("This is in use already"))
  await choose("Country (optional)", "VN")
  await stage.type(field("Day"), "7")
  await choose("Month", "5")
  await stage.type(field("Year"), "1990")
  await stage.type(field("E-mail"), "another@example.com")
  await press("Create account")
  await until(() => sent.length === 2)
  expect(sent.map(({ country, birth_date }) => [country, birth_date])).toEqual([
    [undefined, undefined],
    ["VN", "1990-05-07"],
  ])
})
