/**
 * The Signal Generation sample: monitors the prices of several hundred stock symbols and reports sudden changes
 * (<em>signals</em>) and sequences of them (<em>trends</em>).
 *
 * <pre>
 *   TCP ─► loadgenAdapter ─► StockTickStream ─► processor1 ─┬─► PercentTickStream ─┬─► SignalgenOutputBean
 *                                                 ▲         └─► TrendTickStream ───┘
 *                          SymbolsCacheLoader ─► symbolsRelation
 * </pre>
 *
 * <p>Contents: the cache loader, the value type of the cache, and the bean at the end of the network. The network is in
 * {@code META-INF/spring}, the rules in {@code META-INF/wlevs}. Callers: the platform. Threads: the loader runs on the
 * deploying thread; the output bean receives batches from one thread at a time, and any thread may read its statistics.
 */
package dev.millrace.samples.signalgeneration;
