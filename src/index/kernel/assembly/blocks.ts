/**
 * Bitmaps are read in blocks of 64 bytes (512 rows), that is four vectors of 128 bits. Every bitmap
 * starts at a multiple of a block and is a whole number of blocks long.
 */
export const BLOCK_BYTES: usize = 64
export const VECTOR_BYTES: usize = 16

/** Whether no bit is set in the block at this address. */
export function isEmptyBlock(address: usize): bool {
  const firstHalf = v128.or(v128.load(address), v128.load(address, 16))
  const secondHalf = v128.or(v128.load(address, 32), v128.load(address, 48))
  return !v128.any_true(v128.or(firstHalf, secondHalf))
}
