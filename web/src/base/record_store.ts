// Records kept on this machine, behind one interface: IndexedDB in the page, memory where that is blocked or in tests.

export interface RecordStore<T> {
  /** Returns the record's key. */
  readonly add: (record: T) => Promise<number>;
  /** Replaces the record with that key. */
  readonly put: (key: number, record: T) => Promise<void>;
  /** In the order in which they were added. */
  readonly all: () => Promise<readonly Kept<T>[]>;
  readonly clear: () => Promise<void>;
  /** False where nothing outlives the page: storage is blocked. */
  readonly isLasting: boolean;
}

export interface Kept<T> {
  readonly key: number;
  readonly record: T;
}

export function createMemoryStore<T>(): RecordStore<T> {
  const records = new Map<number, T>();
  let last = 0;
  return {
    isLasting: false,
    add: (record) => {
      last += 1;
      records.set(last, record);
      return Promise.resolve(last);
    },
    put: (key, record) => {
      records.set(key, record);
      return Promise.resolve();
    },
    all: () => Promise.resolve([...records].map(([key, record]) => ({ key, record }))),
    clear: () => {
      records.clear();
      return Promise.resolve();
    },
  };
}

const kDatabase = 'tracedrills';
/** Raise it together with a new name in kStores. */
const kVersion = 2;
const kStores = ['attempts', 'math_attempts'] as const;
export type StoreName = (typeof kStores)[number];

/** The named store; a memory one where the browser keeps nothing for this page. */
export async function openRecordStore<T>(name: StoreName): Promise<RecordStore<T>> {
  try {
    return createIndexedStore<T>(await openDatabase(), name);
  } catch {
    return createMemoryStore<T>();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(kDatabase, kVersion);
  request.onupgradeneeded = () => {
    for (const name of kStores) {
      if (!request.result.objectStoreNames.contains(name)) {
        request.result.createObjectStore(name, { autoIncrement: true });
      }
    }
  };
  return done(request);
}

function createIndexedStore<T>(database: IDBDatabase, name: StoreName): RecordStore<T> {
  const store = (mode: IDBTransactionMode) => database.transaction(name, mode).objectStore(name);
  return {
    isLasting: true,
    add: async (record) => Number(await done(store('readwrite').add(record))),
    put: async (key, record) => {
      await done(store('readwrite').put(record, key));
    },
    all: async () => {
      const from = store('readonly');
      const [keys, records] = await Promise.all([done(from.getAllKeys()), done(from.getAll())]);
      return keys.map((key, index) => ({ key: Number(key), record: records[index] as T }));
    },
    clear: async () => {
      await done(store('readwrite').clear());
    },
  };
}

function done<R>(request: IDBRequest<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the store gave no reason'));
  });
}
