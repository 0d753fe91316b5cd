/** Requests over HTTP in an open model, and their latencies. */
package io.movr.sender;
