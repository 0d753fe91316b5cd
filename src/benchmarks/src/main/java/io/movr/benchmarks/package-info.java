/** Comparisons of the loader, the workload runner and the service with the programs that others use for the same work. */
package io.movr.benchmarks;
