/**
 * The Signal Generation sample: watches the prices of some hundred stock symbols and reports sudden changes
 * (<em>signals</em>) and runs of them (<em>trends</em>).
 *
 * <pre>
 *   TCP ─► loadgenAdapter ─► StockTickStream ─► processor1 ─┬─► PercentTickStream ─┬─► SignalgenOutputBean
 *                                                 ▲         └─► TrendTickStream ───┘
 *                          SymbolsCacheLoader ─► symbolsRelation
 * </pre>
 *
 * <p>Who lives here: the cache loader, the value type of the cache, and the bean at the end. The network is in {@code
 * META-INF/spring}, the rules in {@code META-INF/wlevs}. Who may call: the platform. Threads: the loader runs on the
 * deploying thread; the output bean takes batches from one thread at a time and may be asked for figures by any.
 */
package dev.millrace.samples.signalgeneration;
