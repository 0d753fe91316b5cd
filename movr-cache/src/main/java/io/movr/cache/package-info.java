/** A cache of query results near the client: a data source that answers reads again without asking the database. */
package io.movr.cache;
