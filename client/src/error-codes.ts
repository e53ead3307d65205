/**
 * A class for each code that a merchant's calls are refused with, named as the code is, each below
 * the class of its status. A code without a class here is an error of the class of its status.
 */
import {
  AuthenticationError,
  ConflictError,
  GoneError,
  PermissionError,
  TooManyRequestsError,
  UnavailableError,
  ValidationError,
} from './errors.ts'

export class ApiNotEnabledError extends AuthenticationError {}
export class MissingScopeError extends PermissionError {}
export class AddressNotAllowedError extends PermissionError {}
export class BudgetExceededError extends PermissionError {}
export class SkuUnavailableError extends ConflictError {}
export class SkuOnHoldError extends ConflictError {}
export class NotMemoableError extends ConflictError {}
export class NotHoldableError extends ConflictError {}
export class HoldLimitError extends ConflictError {}
export class HoldExhaustedError extends ConflictError {}
export class MemoLimitExceededError extends ConflictError {}
export class CreditLimitExceededError extends ConflictError {}
export class DuplicateOrderIdError extends ConflictError {}
export class DuplicateOrderReferenceError extends ConflictError {}
export class QuoteExpiredError extends ConflictError {}
export class QuoteNotOpenError extends ConflictError {}
export class QuoteOrderedError extends ConflictError {}
export class QuoteLimitError extends ConflictError {}
export class NotReturnableError extends ConflictError {}
export class ReturnWindowOverError extends ConflictError {}
export class WrongStateError extends ConflictError {}
export class TooLateToCancelError extends ConflictError {}
export class AddressLimitError extends ConflictError {}
export class TemplateLimitError extends ConflictError {}
export class WebhookLimitError extends ConflictError {}
export class SavedSearchLimitError extends ConflictError {}
export class KeyLimitError extends ConflictError {}
export class IdempotencyKeyInUseError extends ConflictError {}
export class ChangesExpiredError extends GoneError {}
export class UnknownCurrencyError extends ValidationError {}
export class TiersOverlapError extends ValidationError {}
export class IdempotencyKeyReusedError extends ValidationError {}
export class TooManySnapshotsError extends TooManyRequestsError {}
export class TooManyWaitsError extends TooManyRequestsError {}
export class OverloadedError extends UnavailableError {}
