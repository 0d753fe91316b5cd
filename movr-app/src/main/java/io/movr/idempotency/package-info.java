/** Idempotent writes: each is executed once, however often it is requested. */
package io.movr.idempotency;
