/**
 * Migration of applications of Oracle Event Processing: the class names of the old API are mapped to those of Millrace
 * in compiled bundles and in directories of sources. Nothing of the old API is needed for it.
 *
 * <pre>
 *   OepOption, MigrateCommand ─► BundleMigration ─► ClassMigration ─► MemberCheck ─► ClassIndex
 *   MigrateCommand ─► DirectoryMigration ─► SourceMigration
 *   BundleMigration, DirectoryMigration ─► XmlMigration, ManifestMigration
 * </pre>
 *
 * <p>Callers: the commands. Threads: the thread of the command. Failure: what cannot be mapped is a problem with code,
 * class and hint in the {@link dev.millrace.command.migration.MigrationReport}.
 */
package dev.millrace.command.migration;
