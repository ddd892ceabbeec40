/** Credentials of clients, and protection from web pages. Thread-safe. */
package dev.millrace.adapter.http.security;
