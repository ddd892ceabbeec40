/**
 * Strings as bytes, and dense ints for the strings that the state of one thread refers to.
 *
 * <pre>
 *   bytes ─► {@link dev.millrace.api.string.Utf8} head, hash
 *                │
 *                ▼
 *   {@link dev.millrace.api.string.StringTable} ─► up to 8 bytes: ShortStringIndex, longer: LongStringIndex ─► code
 *                └────────────────────────────────────────────► StringRecords, StringSlabs: bytes of a code
 * </pre>
 *
 * <p>Callers: adapters and the platform. Threads: a table has one owner.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.string;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
