/** What the loader and the service cost beside bare COPY and pgbench. */
package io.movr.overhead;
