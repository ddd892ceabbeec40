@echo off
rem Starts this server instance in the foreground; Ctrl-C stops it.
rem usage: startwlevs.cmd [-help] [-dryrun] ["-Dname=value" ...]
rem With -dryrun, prints the Java command without executing it. Other options are passed to Java.
rem The ports and the home directory are those at the top of startwlevs.sh, so that both scripts have the same.
setlocal
for %%d in ("%~dp0.") do set "domain=%%~fd"
cd /d "%domain%"
set "DEFAULT_PORTS="
for /f "tokens=1* delims==" %%a in ('findstr /b "DEFAULT_PORTS=" startwlevs.sh') do set "DEFAULT_PORTS=%%~b"
set "PROCESSOR_SET="
for /f "tokens=1* delims==" %%a in ('findstr /b "PROCESSOR_SET=" startwlevs.sh') do set "PROCESSOR_SET=%%~b"
set "default_home="
for /f "tokens=1* delims==" %%a in ('findstr /b "WLEVS_HOME=" startwlevs.sh') do set "default_home=%%~b"
rem The text of the line is ${WLEVS_HOME:-DIRECTORY}.
if not defined WLEVS_HOME set "WLEVS_HOME=%default_home:~14,-1%"
for %%d in ("%WLEVS_HOME%") do set "home=%%~fd"
if not exist "%home%\bin\find-java.cmd" (
    echo CMD-0002: home directory not found, WLEVS_HOME=%WLEVS_HOME% domain=%domain%>&2
    echo     hint: set WLEVS_HOME to the directory that contains bin, lib and bundles>&2
    exit /b 64
)
call "%home%\bin\find-java.cmd" || exit /b 64
if defined PROCESSOR_SET (
    echo CMD-0009: this operating system does not support processor sets, system=Windows>&2
    echo     hint: leave PROCESSOR_SET empty>&2
    exit /b 64
)
if "%~1"=="-help" (
    echo Starts this server instance in the foreground; Ctrl-C stops it.
    echo usage: startwlevs.cmd [-help] [-dryrun] ["-Dname=value" ...]
    echo With -dryrun, prints the Java command without executing it. Other options are passed to Java.
    exit /b 0
)
set "arguments=%*"
set "dry_run="
if "%~1"=="-dryrun" set "dry_run=yes"
if defined dry_run set "arguments=%arguments:-dryrun=%"
set "first=%~1"
if not defined first set "first=-"
if not "%first:~0,1%"=="-" (
    echo CMD-0013: not an option, argument=%first%>&2
    echo     hint: startwlevs.cmd -help shows the options; this script starts the domain that contains it>&2
    exit /b 64
)
rem Checks ports here, because Java accepts any value of a property and an invalid port would be detected much later.
echo %DEFAULT_PORTS% %arguments% | findstr /r /c:"\.port=[^0-9]" /c:"\.port[ \"]" /c:"\.port=[0-9]*[^0-9 \"]" ^
    /c:"\.port=[0-9][0-9][0-9][0-9][0-9][0-9]" /c:"\.port=[7-9][0-9][0-9][0-9][0-9]" ^
    /c:"\.port=6[6-9][0-9][0-9][0-9]" /c:"\.port=65[6-9][0-9][0-9]" /c:"\.port=655[4-9][0-9]" ^
    /c:"\.port=6553[6-9]">nul
if not errorlevel 1 (
    echo CMD-0014: not a port, options=%DEFAULT_PORTS% %arguments% domain=%domain%>&2
    echo     hint: use numbers from 1 to 65535; DEFAULT_PORTS at the top of startwlevs.sh contains the defaults>&2
    exit /b 64
)
rem This file configures memory and garbage collector.
set "jvm_options=%domain%\config\jvm.options"
if not exist "%jvm_options%" (
    echo CMD-0003: file is missing, file=%jvm_options%>&2
    echo     hint: copy it from %home%\user_projects\domains\defaultserver\config>&2
    exit /b 64
)
rem Options that later versions of Java require.
set "version_options="
if %java_major% geq 24 set "version_options=--sun-misc-unsafe-memory-access=allow"
if not exist "%domain%\logs" mkdir "%domain%\logs"
if not exist "%domain%\var" mkdir "%domain%\var"
set "run="
if defined dry_run set "run=echo"
%run% "%java%" -Xshare:auto "-Xlog:cds*=off" "@%home%\bin\java-opens.txt" "@%jvm_options%" ^
    %version_options% %DEFAULT_PORTS% ^
    "-Dwlevs.home=%home%" "-Dwlevs.domain.home=%domain%" %arguments% ^
    -cp "%home%\lib\*" dev.millrace.launcher.Main
exit /b %errorlevel%
