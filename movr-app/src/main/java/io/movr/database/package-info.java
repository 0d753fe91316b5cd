/** Engines, clusters and their gateways; the embedded PostgreSQL; the pool of the service, and its transactions. */
package io.movr.database;
