/** Intervals and tests. */
package io.movr.stats;
