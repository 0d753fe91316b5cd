/** The service's connections to the gateway of its region, its transactions, and the cache that may stand before them. */
package io.movr.datasource;
