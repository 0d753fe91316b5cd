/** Query plans as a small tree, read from an engine's EXPLAIN. */
package io.movr.database.plan;
