package dev.millrace.cql.processor.durable.unit;

import dev.millrace.cql.processor.durable.output.RaisedNumbers;
import dev.millrace.cql.processor.relation.RecordedReplica;
import java.util.List;

/**
 * What the recorders of a unit share.
 *
 * @param replicas  all replicas of the unit
 * @param producers names of the producers of rows in the journal
 * @param space     waits while the journal has none
 * @param mark      of the unit
 * @param raised    numbers of its outputs
 * @param lookups   whose answers follow the batches
 */
record UnitContext(List<RecordedReplica> replicas, ProducerNames producers, SpaceWaiter space, ReplicaMark mark,
    RaisedNumbers raised, UnitLookups lookups)
{
}
