/**
 * The events, queries and hand-written loops of the workload {@code nexmark}: the generator of the auction site with
 * persons, auctions and bids, a simplified Linear Road, and a loop for each query that computes the same. It depends on
 * no other package of the module; {@code NexmarkExperiment} measures engine and loop in the same run.
 */
package dev.millrace.tuning.nexmark;
