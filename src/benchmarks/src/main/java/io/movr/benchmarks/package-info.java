/** Comparisons of the loader, the workload runner and the service with other programs for the same work. */
package io.movr.benchmarks;
