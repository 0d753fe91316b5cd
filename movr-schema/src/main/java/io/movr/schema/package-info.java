/** The tuning stages of the schema, and moving a database to one. */
package io.movr.schema;
