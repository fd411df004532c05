#!/bin/sh
# CATALINA_BASE/bin/setenv.sh: catalina.sh reads it before it starts or stops Tomcat.
# The server's own settings; what stands there wins over the caller's environment.
if [ -r "$CATALINA_BASE/conf/chatflow.env" ]; then
  set -a
  # shellcheck source=/dev/null
  . "$CATALINA_BASE/conf/chatflow.env"
  set +a
fi
# Without a shutdown port Tomcat is stopped by a signal to this process.
CATALINA_PID="${CATALINA_PID:-$CATALINA_BASE/temp/tomcat.pid}"
# Heap for 1,000 connections with the broker elsewhere; docs/performance.md has the measurements.
# Each connection has three buffers for frames. The portable sink gathers texts in one: below 8192 they leave as fragments.
case ${CHATFLOW_SINK:-auto} in portable) frame_buffer=8192 ;; *) frame_buffer=512 ;; esac
case ${CHATFLOW_TLS_CERTIFICATE:-} in '') tls=false ;; *) tls=true ;; esac
# server.xml and the web application read the same address, port and certificate.
# The caller's options come last and win. This collector needs the least memory and is not slower; one of the caller's replaces it.
case ${CATALINA_OPTS:-} in *-XX:+Use*GC*) collector= ;; *) collector='-XX:+UseSerialGC -Xmn16m' ;; esac
# A JVM whose heap is exhausted ends, with status 3, and its supervisor starts another: half a server serves nobody.
# What the C library keeps of memory that the compilers gave back goes to the system.
CATALINA_OPTS="-Xmx256m $collector -XX:TrimNativeHeapInterval=5000 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED \
-Dorg.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE=$frame_buffer \
-Dchatflow.address=${CHATFLOW_ADDRESS:-127.0.0.1} -Dchatflow.port=${CHATFLOW_PORT:-8080} \
-Dtomcat.tls=$tls -Dchatflow.tls.certificate=${CHATFLOW_TLS_CERTIFICATE:-} -Dchatflow.tls.key=${CHATFLOW_TLS_KEY:-} \
-Dtomcat.maxConnections=$((${CHATFLOW_MAX_CONNECTIONS:-20000} + 1000)) ${CATALINA_OPTS:-}"
export CATALINA_OPTS CATALINA_PID
