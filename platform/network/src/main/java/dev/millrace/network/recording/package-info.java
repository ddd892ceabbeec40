/**
 * Recording of the rows that leave a stage, and their playback.
 *
 * <pre>
 *   Outlet ─► RecordedGroup ─► DatasetWriter ─► log of the dataset           lane of a playback ─► stages below
 *                (encodes)      (one at a time)        └─► DatasetReader ─► StagePlayback ──┘
 * </pre>
 *
 * <p>Threads: the thread that emits rows appends them; a playback has its own thread and lanes, like an adapter.
 * Callers: the network; the server creates the {@link dev.millrace.network.recording.JournalEventStore}, or another
 * event store.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.recording;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
