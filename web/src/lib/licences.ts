import notices from "../../../THIRD-PARTY.md?raw"

export interface Package {
  name: string
  version: string
  licence: string
}

export interface PackageGroup {
  title: string
  packages: Package[]
}

/** What the notices say before their tables. */
export const preface: string = notices
  .slice(0, notices.indexOf("\n## "))
  .replace(/^(#|This file).*$/gm, "")
  .trim()

/** The third-party notices of the repository: each of its tables. */
export function packageGroups(text: string = notices): PackageGroup[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...lines] = part.split("\n")
      const rows = lines.filter((line) => line.startsWith("| ")).slice(2)
      return { title, packages: rows.map(packageOf) }
    })
}

/** The licences of all packages in this page, in their own words; written with the build. */
export async function licenceTexts(): Promise<string> {
  const answer = await fetch("/licences.txt")
  if (!answer.ok) throw new Error(`the licences aren't there: ${answer.status}`)
  return answer.text()
}

function packageOf(line: string): Package {
  const [name = "", version = "", licence = ""] = line
    .split("|")
    .slice(1)
    .map((cell) => cell.trim())
  return { name, version, licence }
}
