/** Doing a write once, however often it is asked for. */
package io.movr.idempotency;
