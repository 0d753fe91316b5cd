/** What all parts of the HTTP interface share: problems, paging, limits, its description. */
package io.movr.web;
