package dev.millrace.network.advertised;

import dev.millrace.api.stage.EventBatchSender;

/**
 * Where rows of other applications enter a network.
 *
 * @param sender used by one thread at a time, which holds this object as its lock
 */
record SharedSender(EventBatchSender sender)
{
}
