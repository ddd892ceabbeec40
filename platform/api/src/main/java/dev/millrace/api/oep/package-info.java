/**
 * Roles of migrated applications of Oracle Event Processing whose methods differ from those of the other packages of
 * this API. {@code millrace migrate} and {@code millrace app install --oep} map the class names of such applications
 * to {@code dev.millrace.api.stage} and {@code dev.millrace.api.lifecycle} where the methods are the same, and
 * otherwise to this package. New applications do not need it.
 *
 * <pre>
 *   {@literal @}Service setter ◄── EventTypeRepository ──► EventType ──► EventProperty
 *   BatchRelationSink ──► BatchStreamSink ──► StreamSink
 *   AggregationFunctionFactory ──► AggregateFunctionFactory
 * </pre>
 *
 * <p>Callers: the platform calls the interfaces that applications implement; stages call the others. Threads: as in the
 * packages that the interfaces extend.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.oep;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
