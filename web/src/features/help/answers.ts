import type { MessageDescriptor } from "@lingui/core"
import { msg } from "@lingui/core/macro"
import type { Topic } from "../../lib/help.ts"
import { DEMO } from "../../lib/mode.ts"

export interface Way {
  label: MessageDescriptor
  to: string
  search?: Record<string, unknown>
}

/** A question that people ask, and its answer. No figure stands here: figures come from the server. */
export interface Answer {
  topic: Topic
  question: MessageDescriptor
  answer: MessageDescriptor
  ways?: readonly Way[]
}

const TOP_UP: Way = { label: msg`Top up`, to: "/node3" }
const RULES: Way = { label: msg`Rules and proof`, to: "/game1", search: { view: "rules" } }
const SETTINGS: Way = { label: msg`Settings`, to: "/me3" }
const TOOLS: Way = { label: msg`Apps and tools`, to: "/software-download" }

/** Bundled, so that help is there without a connection. A demo's answers are those that are true there. */
export const ANSWERS: readonly Answer[] = [
  {
    topic: "start",
    question: msg`What is Kalos?`,
    answer: msg`A wallet, and games whose results anyone can check. Every result follows from the hash of a public block, and every balance from the entries of one ledger.`,
    ways: [
      { label: msg`Assets`, to: "/node" },
      { label: msg`Play`, to: "/game" },
    ],
  },
  {
    topic: "start",
    question: msg`What do I do first?`,
    answer: DEMO
      ? msg`Open Top up and press “Send test USDT”, look at your balance under Assets, then open a game under Play. Read a game's rules before your first bet.`
      : msg`Top up USDT from your own wallet, look at your balance under Assets, then open a game under Play. Read a game's rules before your first bet.`,
    ways: [TOP_UP, RULES],
  },
  {
    topic: "start",
    question: msg`What are USDT and KLS?`,
    answer: msg`USDT is a coin that follows the US dollar; it is what you top up. KLS is the platform's own coin. Its price can fall to nothing, and nobody promises a return.`,
  },
  {
    topic: "start",
    question: msg`Why does my total change by itself?`,
    answer: msg`The total is the worth of all your coins in USDT at the present price. When a price moves, the total moves, though nothing was paid in or out.`,
    ways: [{ label: msg`Account and history`, to: "/node1" }],
  },
  {
    topic: "start",
    question: msg`How do I invite somebody?`,
    answer: msg`Share the invitation link on the screen Me. Whoever opens it finds your code already filled in when they create an account.`,
    ways: [{ label: msg`Me`, to: "/me" }],
  },
  {
    topic: "start",
    question: msg`Can I change language, theme and numbers?`,
    answer: msg`Yes, in Settings: language, dark or light, colours of rise and fall, how numbers are written, and less motion. Every choice acts at once and stays on this device.`,
    ways: [SETTINGS],
  },
  {
    topic: "start",
    question: msg`Can I install Kalos as an app?`,
    answer: msg`Yes, from your browser, without a store. It then opens in a window of its own.`,
    ways: [TOOLS],
  },
  {
    topic: "topup",
    question: msg`How do I top up?`,
    answer: DEMO
      ? msg`This is a demo: open Top up and press “Send test USDT”. The test coins are credited by themselves. Never send real coins here: they would be lost.`
      : msg`Open Top up and copy your own address or scan its code. Send USDT there from your wallet, on the network that the page names. Once the network has confirmed the transfer, the amount is credited by itself.`,
    ways: [TOP_UP],
  },
  {
    topic: "topup",
    question: msg`Which coin and which network count?`,
    answer: msg`Only USDT of the token contract that the page names, on the network that it names. Anything else is not credited by itself and may be lost.`,
    ways: [TOP_UP],
  },
  {
    topic: "topup",
    question: msg`My top-up doesn't show. What now?`,
    answer: msg`See whether your wallet calls the transfer confirmed. If it does, copy the transaction's hash and submit it: it is looked up on the chain at once. A transfer is never credited twice.`,
    ways: [
      { label: msg`Submit hash`, to: "/node3", search: { tab: "hash" } },
      { label: msg`Records`, to: "/node3", search: { tab: "records" } },
    ],
  },
  {
    topic: "topup",
    question: msg`What if I send less than the minimum?`,
    answer: msg`It waits, and is credited as soon as what came to your address reaches the minimum.`,
    ways: [{ label: msg`Records`, to: "/node3", search: { tab: "records" } }],
  },
  {
    topic: "topup",
    question: msg`Does a top-up cost anything?`,
    answer: msg`Kalos takes nothing. Your wallet pays the network's own fee when it sends.`,
  },
  {
    topic: "withdraw",
    question: msg`How do I withdraw?`,
    answer: msg`Write the address of your own wallet into your book of addresses first. Then open Withdraw, choose coin, address and amount, check all of it, and confirm with your withdrawal password and a code. You can follow it until it has arrived.`,
    ways: [
      { label: msg`Withdraw`, to: "/node4" },
      { label: msg`Withdrawal addresses`, to: "/address3" },
    ],
  },
  {
    topic: "withdraw",
    question: msg`What does a withdrawal cost?`,
    answer: msg`A part of its value, paid in KLS; the form names both before you confirm. Who has too little KLS can have exactly what lacks bought in the same step.`,
    ways: [{ label: msg`Withdraw`, to: "/node4" }],
  },
  {
    topic: "withdraw",
    question: msg`Why is my withdrawal still under review?`,
    answer: msg`People look at withdrawals that are large, that go to a new address, or that follow a change of your security settings. The record says which of these it was. If they refuse it, they say why, and the amount and its fee are given back.`,
    ways: [{ label: msg`My withdrawals`, to: "/node4", search: { tab: "records" } }],
  },
  {
    topic: "withdraw",
    question: msg`Why are my withdrawals on hold?`,
    answer: msg`After a change of a password, the e-mail or the authenticator withdrawals wait for a while, so that a thief who changed it gets nothing. The form shows until when. If it wasn't you, freeze the account.`,
    ways: [{ label: msg`Security centre`, to: "/me1" }],
  },
  {
    topic: "withdraw",
    question: msg`Can I call a withdrawal back?`,
    answer: msg`No. What was sent on the chain belongs to whoever holds the address: compare it with your wallet before you confirm.`,
  },
  {
    topic: "topup",
    question: msg`Which wallet should I use?`,
    answer: msg`One that you alone hold the keys of. The wallets guide names some, with their official sites, and shows how to copy an address.`,
    ways: [{ label: msg`Wallets guide`, to: "/wallet-register" }],
  },
  {
    topic: "games",
    question: msg`How does a result come about?`,
    answer: DEMO
      ? msg`Every round names a block that doesn't exist yet. When it comes, the last digit of its hash decides; letters are skipped. This demo's chain is its own, and whoever runs the demo can make its blocks: results here show how the games work and no more.`
      : msg`Every round names a block that doesn't exist yet. When it comes, the last digit of its hash decides; letters are skipped. Nobody here chooses the block or its hash.`,
    ways: [RULES],
  },
  {
    topic: "games",
    question: msg`How do I check a result myself?`,
    answer: msg`Open a bet and press “Check it yourself”; an opened round is checked at once. Your device computes the block's number, the digit, the prize and the proof anew. The command verify-round does the same without our servers.`,
    ways: [
      { label: msg`All rounds`, to: "/game1", search: { view: "trend" } },
      { label: msg`My bets`, to: "/game1", search: { view: "bets" } },
    ],
  },
  {
    topic: "games",
    question: msg`When does betting close?`,
    answer: msg`Before anybody can know the round's block. The room counts down to it. A bet that comes later is refused, and nothing is taken; a bet that was taken too late is given back.`,
  },
  {
    topic: "games",
    question: msg`What does the house keep?`,
    answer: msg`The rules of a game say what it pays and how much of all stakes comes back to players. The rest is the house's, so over many rounds playing costs money.`,
    ways: [RULES],
  },
  {
    topic: "games",
    question: msg`What is a void round?`,
    answer: msg`A round whose block comes too late, or whose hash has no digit. Every stake of it goes back in full.`,
  },
  {
    topic: "games",
    question: msg`Why was my bet refused?`,
    answer: msg`The sentence beside it says why: betting was closed, the stake was under the minimum, the balance too low, or the round's limit reached. The house takes no bet that it couldn't pay. A refused bet costs nothing.`,
  },
  {
    topic: "games",
    question: msg`I play more than I want to. What can I do?`,
    answer: msg`Stop for today and log out; don't bet to win a loss back. Talk to somebody you trust, or to the gambling helpline of your country: it is free and confidential in most.`,
    ways: [SETTINGS],
  },
  {
    topic: "security",
    question: msg`How do I keep my account safe?`,
    answer: msg`Use a password that you use nowhere else. Protect your e-mail with two-step log-in, since our codes are sent there. Look at the address of the page before you type your password.`,
    ways: [TOOLS],
  },
  {
    topic: "security",
    question: msg`Does Kalos ask for my password or my recovery words?`,
    answer: msg`Never: not for your password, not for a code from an e-mail, not for a wallet's recovery words, in no chat, call or mail. Whoever asks wants to steal from you.`,
  },
  {
    topic: "security",
    question: msg`How do I hide my balances?`,
    answer: msg`Press the eye beside the balance, or use the switch in Settings. Every amount of yours is then shown as dots on this device.`,
    ways: [SETTINGS],
  },
  {
    topic: "security",
    question: msg`What happens when I log out?`,
    answer: msg`This device forgets what it had loaded, and your session ends on the server as soon as that hears of it. Your money and your bets stay as they are.`,
    ways: [SETTINGS],
  },
  {
    topic: "security",
    question: msg`Can somebody on the way read or change what I send?`,
    answer: msg`Calls are sealed and signed besides the browser's encryption, so a change is noticed. Files, and the page itself, rely on the browser's encryption alone.`,
  },
  {
    topic: "security",
    question: msg`How do I know that this is the real app?`,
    answer: msg`By the address of the page alone: compare it with the one you know. Nothing that a page says about itself proves that it is real.`,
  },
]
