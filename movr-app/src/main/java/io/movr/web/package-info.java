/** The shared parts of the HTTP interface: problems, paging, limits, and the API description. */
package io.movr.web;
