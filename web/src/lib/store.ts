/** One place on the device for one record; whatever is in it may be wiped at any time. */
export interface Store {
  read(): Promise<unknown>
  /** Put `record` there, unless `mayReplace` refuses what stands there at that moment. Returns whether it was written. */
  write(record: unknown, mayReplace: (present: unknown) => boolean): Promise<boolean>
  wipe(): Promise<void>
}

const DATABASE = "kalos"
const ANSWERS = "answers"
const LAST = "last"

/** The browser's own database: outside of it nothing but the token and a few choices is stored. */
export class DeviceStore implements Store {
  private database: Promise<IDBDatabase> | null = null

  read(): Promise<unknown> {
    return this.ask("readonly", (rows) => rows.get(LAST))
  }

  async write(record: unknown, mayReplace: (present: unknown) => boolean): Promise<boolean> {
    let may = false
    // Reading and writing are one transaction: no other tab comes between.
    await this.ask("readwrite", (rows) => {
      const present = rows.get(LAST)
      present.onsuccess = () => {
        may = mayReplace(present.result)
        if (may) rows.put(record, LAST)
      }
      return present
    })
    return may
  }

  async wipe(): Promise<void> {
    await this.ask("readwrite", (rows) => rows.clear())
  }

  private async ask<T>(mode: IDBTransactionMode, what: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    this.database ??= open(() => {
      this.database = null
    })
    return await asked(await this.database, mode, what)
  }
}

/** What a page reads before its code has come. */
export async function readOnce(): Promise<unknown> {
  return await asked(await open(() => undefined), "readonly", (rows) => rows.get(LAST))
}

function asked<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  what: (rows: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = database.transaction(ANSWERS, mode)
  const request = what(transaction.objectStore(ANSWERS))
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = () => fail(transaction.error)
  })
}

/** `closed` is called when the connection is of no use any more. */
function open(closed: () => void): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(ANSWERS)
    request.onsuccess = () => {
      const database = request.result
      database.onclose = closed
      // A newer page in another tab wants to change the database.
      database.onversionchange = () => {
        closed()
        database.close()
      }
      done(database)
    }
    request.onerror = () => {
      closed()
      fail(request.error)
    }
  })
}
