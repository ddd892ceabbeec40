/**
 * Deployment of many rules.
 */
package dev.millrace.tuning.rules;
