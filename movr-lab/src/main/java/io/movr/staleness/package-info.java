/** The staleness of reads. */
package io.movr.staleness;
