/** The service's connections to the gateway of its region, its transactions, and the optional cache. */
package io.movr.datasource;
