/** Engines, clusters and their gateways; the embedded PostgreSQL. */
package io.movr.database;
