/**
 * The few words of WebAssembly that the kernel is written with. Each gives the bytes of an
 * instruction behind those of its operands.
 */
export type Code = number[]

/** A whole number in LEB128. */
export function leb(value: number): Code {
  const code: Code = []
  let rest = value
  do {
    const more = rest > 0x7f
    code.push((rest & 0x7f) | (more ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return code
}

/** Constants are signed; ours are small and positive. */
export const int = (value: number): Code => [
  0x41,
  ...(value < 64 ? [value] : [(value & 0x7f) | 0x80, value >> 7]),
]
export const get = (local: number): Code => [0x20, local]
export const set = (local: number, value: Code): Code => [...value, 0x21, local]
export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a]
export const shiftLeft = (a: Code, by: number): Code => [...a, ...int(by), 0x74]
export const less = (a: Code, b: Code): Code => [...a, ...b, 0x49]
export const repeat = (body: Code, condition: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...condition,
  0x0d,
  0,
  0x0b,
]
export const unless = (condition: Code, body: Code): Code => [
  0x02,
  0x40,
  ...condition,
  0x0d,
  0,
  ...body,
  0x0b,
]
export const simd = (op: number): Code => [0xfd, ...leb(op)]
export const load = (at: Code, offset = 0): Code => [...at, ...simd(0), 4, offset]
export const store = (at: Code, value: Code, offset = 0): Code => [
  ...at,
  ...value,
  ...simd(11),
  4,
  offset,
]
export const zeros: Code = [...simd(12), ...Array.from({ length: 16 }, () => 0)]
export const and = (a: Code, b: Code): Code => [...a, ...b, ...simd(78)]
export const andNot = (a: Code, b: Code): Code => [...a, ...b, ...simd(79)]
export const or = (a: Code, b: Code): Code => [...a, ...b, ...simd(80)]
export const anyTrue = (a: Code): Code => [...a, ...simd(83)]
/** Set bits of each of four lanes, summed from bytes to halves to words. */
export const popcount = (a: Code): Code => [...a, ...simd(98), ...simd(125), ...simd(127)]
export const addLanes = (a: Code, b: Code): Code => [...a, ...b, ...simd(174)]
export const lane = (a: Code, n: number): Code => [...a, ...simd(27), n]
export const sumLanes = (a: Code): Code => [0, 1, 2, 3].map((n) => lane(a, n)).reduce(add)

export const I32 = 0x7f
export const I64 = 0x7e
export const V128 = 0x7b

export interface Kernel {
  name: string
  parameters: number
  returns: boolean
  /** Further locals, after the parameters. */
  locals: number[]
  body: Code
}

/** The 128 bits at a pointer plus an offset, both locals. */
export function at(pointer: number, offset: number): Code {
  return load(add(get(pointer), get(offset)))
}

/** Offsets of the four times 128 bits of a turn. */
export const QUARTERS = [0, 16, 32, 48]

/** Whether the 64 bytes at an address have no bit. */
export function isEmpty(address: Code): Code {
  return [...anyTrue(QUARTERS.map((offset) => load(address, offset)).reduce(or)), 0x45]
}
