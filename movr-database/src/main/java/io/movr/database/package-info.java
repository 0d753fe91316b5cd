/** Engines, clusters and their gateways, the servers that movr starts, and the links between them. */
package io.movr.database;
