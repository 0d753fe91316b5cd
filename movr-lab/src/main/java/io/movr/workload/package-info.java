/** The runner of workloads, and the workloads: MovR's mixes, YCSB and TPC-B. */
package io.movr.workload;
