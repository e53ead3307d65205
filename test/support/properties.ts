import fc from 'fast-check'

/**
 * A property that fails is tried with ever simpler values. Without a limit that may take longer than
 * a test may last, and the values and the seed are lost.
 */
fc.configureGlobal({ interruptAfterTimeLimit: 120_000, markInterruptAsFailure: true })
