/** Histories of transactions, and whether they keep what an isolation level promises. */
package io.movr.check;
