/**
 * Callbacks that a stage implements to learn when it is configured, activated, run, suspended, resumed and destroyed.
 *
 * <p>Callers: the network. Threads: the deploying or managing thread, one call at a time; {@code run} has a thread of
 * its own. Order: properties set, {@code afterPropertiesSet}, configuration, {@code afterConfigurationActive},
 * {@code run}, events, {@code suspend}, {@code beforeResume}, {@code run}, ..., {@code destroy}.
 */
@Export
@Version("1.1.0")
package dev.millrace.api.lifecycle;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
